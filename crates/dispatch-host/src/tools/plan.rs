//! `PlanConfirm` and `PlanClear`: a plan that is drafted, agreed on, and done with.
//!
//! **A plan of white space alone is no plan**: a call can empty a file, and remove none.

use dispatch_core::workspace::View;
use dispatch_core::{Annotations, ErrorCode, Tool, ToolFailure, tools};
use schemars::JsonSchema;
use serde::Deserialize;

/// Where a plan is drafted.
const DRAFT: &str = ".dispatch/plan.draft.md";

/// Where the plan stands that was agreed on.
const PLAN: &str = ".dispatch/plan.md";

/// A second call finds no plan, and changes nothing further.
const ANNOTATIONS: Annotations =
    Annotations { read_only: false, destructive: true, idempotent: true, open_world: false };

/// Makes the draft in `.dispatch/plan.draft.md` the plan, `.dispatch/plan.md`, in place of the one before. The draft is then empty.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct PlanConfirmArgs {}

/// Clears the plan in `.dispatch/plan.md`, which is then empty. A draft stays.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct PlanClearArgs {}

/// The tool `PlanConfirm`.
#[derive(Debug, Clone, Copy)]
pub struct PlanConfirm;

impl Tool for PlanConfirm {
    type Args = PlanConfirmArgs;
    type Output = String;

    fn name(&self) -> &'static str {
        "PlanConfirm"
    }

    fn annotations(&self) -> Annotations {
        ANNOTATIONS
    }

    fn run(&self, _: PlanConfirmArgs, view: &mut View<'_>) -> Result<String, ToolFailure> {
        let draft = plan_in(view, DRAFT)?;
        tools::write_text(view, PLAN, draft)?;
        // Where a link makes them one file, to empty the draft would take the plan.
        if view.resolve(DRAFT)? != view.resolve(PLAN)? {
            tools::write_text(view, DRAFT, String::new())?;
        }
        Ok(format!("Plan confirmed: {PLAN}"))
    }
}

/// The tool `PlanClear`.
#[derive(Debug, Clone, Copy)]
pub struct PlanClear;

impl Tool for PlanClear {
    type Args = PlanClearArgs;
    type Output = String;

    fn name(&self) -> &'static str {
        "PlanClear"
    }

    fn annotations(&self) -> Annotations {
        ANNOTATIONS
    }

    fn run(&self, _: PlanClearArgs, view: &mut View<'_>) -> Result<String, ToolFailure> {
        plan_in(view, PLAN)?;
        tools::write_text(view, PLAN, String::new())?;
        Ok(format!("Plan cleared: {PLAN}"))
    }
}

/// The plan that stands in a file.
fn plan_in(view: &View<'_>, path: &str) -> Result<String, ToolFailure> {
    match view.read_text(path) {
        Ok(plan) if !plan.trim().is_empty() => Ok(plan.into_owned()),
        Err(failure) if failure.code().built_in() != Some(ErrorCode::FileNotFound) => Err(failure),
        Ok(_) | Err(_) => {
            Err(ToolFailure::from(ErrorCode::NoPlan).always_telling(format!("There is no plan in {path}.")))
        }
    }
}
