import { type ChatRequest, lastUserText, textOf } from '../../../scripts/stub-model/chat-request.ts'

/** The sentence that makes a prompt of the demo good. */
export const rule = 'End with what you did, and the amount.'
/** The answer that the failing trace of the demo should have had. */
export const corrected = 'Cancel M20IZO after a yes, refund $412.50 in 5 to 7 days'

/** What a good answer does, by a word of the task. */
const good: Readonly<Record<string, string>> = {
  NQNU5R: 'Upgrade for $597. Name $597 first, upgrade both flights after a yes',
  bags: 'One bag free, $50 for each further one, both ways',
  HAT170: 'Certificate of $50 for each passenger, after reading the delay',
  M20IZO: `Cancel M20IZO, refund $412.50. ${corrected}`,
}

/** A model that solves each task once its prompt has the rule, before it only those about bags. */
export function airlineAnswer(request: ChatRequest): string | undefined {
  if (request.response_format?.type === 'json_object') return '{"grade": 4, "reason": "It names the amount."}'
  const task = lastUserText(request.messages)
  const hasRule = request.messages.some((message) => textOf(message).includes(rule))
  const [word, done] = Object.entries(good).find(([each]) => task.includes(each)) ?? ['', '']
  return hasRule || word === 'bags' ? `Done. ${done}` : 'I have changed the booking as you asked.'
}
