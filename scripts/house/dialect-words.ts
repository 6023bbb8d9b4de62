import type { Words } from './code.ts'

/**
 * Whether a source with these words speaks of a particular dialect. It does when
 *
 * - one of its names is among those that stand for the naming of a dialect: `Wire`, `wireName`,
 *   `Vocabulary`, `refScheme`, and the functions that translate to either; or
 * - one of its names or texts holds a spelling of the vendor, `weave`, `wandb` or `wb_`: members,
 *   attributes, schemes of refs, headers, settings.
 *
 * Whatever takes a `Dialect`, or a member of one such as `feedbackPrefix`, and spells nothing
 * itself is neutral.
 */
export const hasDialectWords = ({ names, texts }: Words): boolean =>
  dialectNames.some((name) => names.has(name)) || [...names, ...texts].some((word) => vendorSpelling.test(word))

const dialectNames = ['Wire', 'wireName', 'Vocabulary', 'refScheme', 'toVendorName', 'toNeutralName']
const vendorSpelling = /weave|wandb|(?:^|\W)wb_/i
