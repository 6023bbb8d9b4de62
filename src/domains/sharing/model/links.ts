import { type Static, Type } from '@sinclair/typebox'
import { Nullable, NullableText, OpenObject } from '../../../formats/schemas/members.ts'
import { requestLimits } from '../../../lib/limits/requests.ts'
import { ProjectId } from '../../../lib/project-id.ts'
import { TimeText } from '../../../lib/time.ts'

/** A read-only link to a trace, without its secret. */
export const Link = Type.Object({
  id: Type.String({ description: 'Part of the address of the link; opens nothing by itself' }),
  project_id: Type.String(),
  trace_id: Type.String(),
  created_at: TimeText,
  expires_at: TimeText,
  ext_user_id: Type.String({ description: 'Who made the link' }),
  ext_username: NullableText,
})
export type Link = Static<typeof Link>

export const LinkCreate = OpenObject({
  project_id: ProjectId,
  trace_id: Type.String({ minLength: 1, maxLength: 256 }),
  expires_in_seconds: Type.Integer({
    minimum: 1,
    maximum: requestLimits.sharedLinkSecondsMax,
    description: 'How long the link works: at most 90 days',
    examples: [86_400],
  }),
})

export const CreatedLink = Type.Composite([
  Link,
  Type.Object({
    path: Type.String({
      description:
        'Path of the page on this server, with the secret after `#`, where no server logs it. ' +
        'It is not returned again',
      examples: ['/ui/shared/8c1f0b7de2a94f36#1f0c…'],
    }),
  }),
])
export type CreatedLink = Static<typeof CreatedLink>

export const LinksRequest = OpenObject({
  project_id: Nullable(ProjectId),
  trace_id: Nullable(Type.String({ description: 'Only links to this trace' })),
})

export const Links = Type.Object({
  links: Type.Array(Link, { description: 'Links that work, newest first' }),
})
export type Links = Static<typeof Links>

export const LinkRevoke = OpenObject({ project_id: ProjectId, id: Type.String({ maxLength: 64 }) })
