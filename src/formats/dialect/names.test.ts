import { expect, test } from 'bun:test'
import { toNeutralName, toNeutralPath, toVendorName, toVendorPath, toVendorText } from './names.ts'

test.each([
  ['ext_user_id', 'wb_user_id'],
  ['ext_user_ids', 'wb_user_ids'],
  ['ext_username', 'wb_username'],
  ['ext_run_id', 'wb_run_id'],
  ['ext_run_step_end', 'wb_run_step_end'],
  ['ext_ref', 'weave_ref'],
  ['ext_call_id', 'weave_call_id'],
  ['ext_type', 'weave_type'],
  ['min_required_ext_python_version', 'min_required_weave_python_version'],
  ['external_project_id', 'external_project_id'],
  ['project_id', 'project_id'],
])('%s becomes %s', (neutral, vendor) => {
  expect(toVendorName(neutral)).toBe(vendor)
  expect(toNeutralName(vendor)).toBe(neutral)
  expect(toNeutralName(neutral)).toBe(neutral)
  expect(toVendorName(vendor)).toBe(vendor)
})

test.each([
  ['summary.ext.status', 'summary.weave.status'],
  ['attributes.ext', 'attributes.weave'],
  ['ext_user_id', 'wb_user_id'],
  ['inputs.weave.x', 'inputs.weave.x'],
  ['summary.external', 'summary.external'],
])('the path %s becomes %s', (neutral, vendor) => {
  expect(toVendorPath(neutral)).toBe(vendor)
  expect(toNeutralPath(vendor)).toBe(neutral)
  expect(toNeutralPath(neutral)).toBe(neutral)
})

test.each([
  ['Read ext_run_step -1: a step', 'Read wb_run_step -1: a step'],
  ['"ext_refs"; did you mean "ext_ref"?', '"ext_refs"; did you mean "weave_ref"?'],
  ['of type "ext.note.1": text', 'of type "wandb.note.1": text'],
  ['my_ext_ref, text.note', 'my_ext_ref, text.note'],
])('the message %s becomes %s', (neutral, vendor) => {
  expect(toVendorText(neutral)).toBe(vendor)
})
