import { session } from '../state/session.ts'
import { versionText } from '../text/version.ts'
import type { ObjectVersion } from './objects.ts'

/** Author of a version: `you`, or the name of a key or account. */
export const authorOf = ({ ext_user_id: id }: ObjectVersion): string =>
  id === null || id === '' ? versionText.unknown : id === session.value?.user_id ? versionText.you : id
