import type { Answer } from '../support/client.ts'

/** Numbers that a parser of JSON would print differently. */
const numbers = '[1.0,1e2,-0.0,12345678901234567890,-9007199254740993,0.1000,1E400,100.00]'

/** The text of a JSON object with numbers that are seldom spelled like this, and a name. */
export const exactObject = (name: string): string =>
  `{"named":"${name}","numbers":${numbers},"nested":{"b":[{"n":2.50}],"10":1.0}}`

/** Stands for the exact object of that name in a body that `bodyText` prints. */
export const free = (name: string): string => `<<${name}>>`

/** A body as text, with exact objects where `free` stands. */
export const bodyText = (body: unknown): string =>
  JSON.stringify(body).replaceAll(/"<<(.*?)>>"/g, (_, name: string) => exactObject(name))

/** What a place shows of the members of a request, which must be to the letter. */
export interface Shown {
  readonly place: string
  readonly text: string
  /** Names of the exact objects that it shows. */
  readonly members: readonly string[]
}

/** The same members in several places. */
export const shown = (members: readonly string[], texts: Readonly<Record<string, string>>): Shown[] =>
  Object.entries(texts).map(([place, text]) => ({ place, text, members }))

/** The members that are missing or have other numbers, as "member in place". */
export const lostIn = (places: readonly Shown[]): string[] =>
  places.flatMap(({ place, text, members }) =>
    members.filter((name) => !text.includes(exactObject(name))).map((name) => `${name} in ${place}`),
  )

/** The answer's text. @throws unless it is a success */
export function textOf({ status, text }: Answer<unknown>): string {
  if (status !== 200) throw new Error(`${status}: ${text}`)
  return text
}
