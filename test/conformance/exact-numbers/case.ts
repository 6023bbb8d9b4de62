import type { Client } from '../support/client.ts'
import type { Project } from '../support/project.ts'
import { bodyText, type Shown, textOf } from './exact-json.ts'

/** An operation with free members, on a project of its own. */
export interface Case {
  /** Its free members by their places in the body, as in `freeMembersOf`. */
  readonly members: readonly string[]
  /** Sends an exact object in each of them, named for it, and reads them wherever possible. */
  readonly run: (project: Project, stubs: Stubs) => Promise<readonly Shown[]>
}

/** Servers that the server under test sends values to. */
export interface Stubs {
  /** The bodies of requests to a model provider so far. */
  readonly providerRequests: readonly { readonly text: string }[]
}

/** Posts a body with exact objects; returns the text of the answer, which must be a success. */
export const send = async (client: Client, path: string, body: unknown): Promise<string> =>
  textOf(await client.postRaw(path, bodyText(body)))
