import { Type } from '@sinclair/typebox'
import { dialects } from '../../../formats/dialect/dialect.ts'
import { DomainError, quoted } from '../../../lib/errors.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { AnswerText } from '../text/answer-text.ts'
import { defineTool } from '../tool.ts'
import { Arguments, projectIdOf, text } from './arguments.ts'
import { readCalls } from './read-calls.ts'

/** Judges a call. */
export const addFeedback = defineTool({
  name: 'add_feedback',
  title: 'Add feedback',
  description:
    'Adds feedback to a call: a note, a reaction, or a named value (`type` "correct", `payload` {"ok": false}).',
  input: Arguments({
    call_id: Type.String({ maxLength: operationLimits.idCharsMax }),
    note: text('Text of a note'),
    reaction: text('An emoji'),
    type: text('Name of the value'),
    payload: Type.Optional(Type.Object({}, { additionalProperties: true, description: 'The value to store' })),
  }),
  writes: true,
  answer: async (context, { project: named, call_id, note, reaction, type, payload }) => {
    const writer = context.caller.write(projectIdOf(context, named))
    const { projectId } = writer
    const given = [
      ...(note === undefined ? [] : [{ feedback_type: 'ext.note.1', payload: { note } }]),
      ...(reaction === undefined ? [] : [{ feedback_type: 'ext.reaction.1', payload: { emoji: reaction } }]),
      ...(type === undefined ? [] : [{ feedback_type: type, payload: payload ?? {} }]),
    ]
    if (given.length === 0) throw new DomainError('InvalidRequest', 'Pass `note`, `reaction`, or `type` and `payload`')
    const [call] = await readCalls(context, writer, { filter: { call_ids: [call_id] }, columns: ['id'] })
    if (call === undefined)
      throw new DomainError(
        'NotFound',
        `Cannot add feedback to call ${quoted(call_id)}: the project ${quoted(projectId)} has no such call`,
      )
    const answer = new AnswerText()
    for (const one of given) {
      const ext_ref = dialects.ext.refs.call(projectId, call_id)
      const { id } = await context.services.feedback.writer.create(writer, { project_id: projectId, ext_ref, ...one })
      answer.add(`Added ${one.feedback_type} ${id} to call ${call_id}.`)
    }
    answer.next('get_call', { project: projectId, call_id }, 'the call with all of its feedback')
    return answer.end()
  },
})
