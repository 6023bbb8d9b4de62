import type { Project } from '../conformance/support/project.ts'

/** Conversations like those of `scripts/replay`, few and short. */
export async function addAirlineCalls(project: Project): Promise<void> {
  const calls = [0, 1, 2].flatMap((index) => {
    const [trace_id, second] = [`conversation-${index}`, index * 10]
    const at = (offset: number) => `2024-05-15T13:00:${String(second + offset).padStart(2, '0')}Z`
    const shared = { trace_id, thread_id: trace_id, attributes: { task_id: String(index), trial: '0' } }
    const root = `root-${index}`
    return [
      {
        ...shared,
        ...{ id: root, turn_id: root, op_name: 'airline.conversation', started_at: at(0), ended_at: at(5) },
        inputs: { instruction: 'Cancel my flight' },
        output: { reward: index % 2 },
      },
      {
        ...shared,
        ...{ id: `chat-${index}`, parent_id: root, op_name: 'openai.chat.completions.create' },
        ...{ started_at: at(1), ended_at: at(2), inputs: { model: 'gpt-4o' }, output: 'Yes' },
        summary: { usage: { 'gpt-4o': { requests: 1, prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 } } },
      },
      {
        ...shared,
        ...{ id: `tool-${index}`, parent_id: root, op_name: 'tool.cancel_reservation' },
        ...{ started_at: at(3), ended_at: at(4), inputs: { reservation: 'A' }, output: 'done' },
      },
    ]
  })
  await project.add(...calls)
}
