import { acceptedChoices } from '../../runtime/http/accept.ts'

/** Whether the client asks for pages, as browsers do, rather than for JSON or anything at all. */
export function prefersHtml(accept: string | null): boolean {
  const choices = acceptedChoices(accept ?? '')
  const weightOf = (name: string): number => choices.find((choice) => choice.name === name)?.quality ?? 0
  return weightOf('text/html') > weightOf('application/json')
}
