import type { Convention } from './convention.ts'

/** Attributes defined by this API, with the prefix of either dialect. */
const inBoth = (...names: readonly string[]): string[] => names.flatMap((name) => [`ext.${name}`, `wandb.${name}`])

export const own: Convention = {
  call: {
    display_name: inBoth('display_name'),
    thread_id: inBoth('thread_id'),
    is_turn: inBoth('is_turn'),
    run_id: inBoth('ext_run_id', 'wb_run_id', 'run_id'),
    run_step: inBoth('ext_run_step', 'wb_run_step', 'run_step'),
    run_step_end: inBoth('ext_run_step_end', 'wb_run_step_end', 'run_step_end'),
    attributes: inBoth('attributes'),
  },
  attributes: {
    kind: ['ext.span.kind', 'weave.span.kind'],
    user_id: ['ext.user_id'],
    tags: ['ext.tags'],
    metadata: ['ext.metadata'],
  },
}

/**
 * Resource attributes with entity and project of all spans of a resource, in order of precedence.
 */
export const projectKeys: readonly { readonly entity: string; readonly project: string }[] = [
  { entity: 'ext.entity', project: 'ext.project' },
  { entity: 'wandb.entity', project: 'wandb.project' },
]
