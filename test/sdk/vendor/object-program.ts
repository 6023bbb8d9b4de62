import * as weave from 'weave'
import { projectArgument, tellResult } from './run-program.ts'

const client = await weave.init(projectArgument())

const plain = await client.publish({ list: [1, 2.5, 'ä'], nested: { deep: [{ a: null }] }, flag: true }, 'settings')
const again = await client.publish({ list: [1, 2.5, 'ä'], nested: { deep: [{ a: null }] }, flag: true }, 'settings')
const changed = await client.publish({ list: [] }, 'settings')

const dataset = new weave.Dataset({
  name: 'questions',
  description: 'Some questions',
  rows: [
    { question: 'one plus one', answer: 2 },
    { question: 'two plus two', answer: 4 },
    { question: 'π', answer: 3.14 },
  ],
})
const datasetRef = await dataset.save()
const loaded = (await datasetRef.get()) as weave.Dataset<{ question: string; answer: number }>
const rows: unknown[] = []
for await (const row of loaded) rows.push(row)

const text = new weave.StringPrompt({ name: 'greeting', content: 'Hello {name}' })
const textRef = await client.publish(text, 'greeting')
const loadedText = await weave.StringPrompt.get(client, textRef.uri())
const messages = new weave.MessagesPrompt({
  name: 'chat',
  messages: [
    { role: 'system', content: 'You are {mood}' },
    { role: 'user', content: 'Hi' },
  ],
})
const messagesRef = await client.publish(messages, 'chat')
const loadedMessages = await weave.MessagesPrompt.get(client, messagesRef.uri())

tellResult({
  plain: plain.uri(),
  again: again.uri(),
  changed: changed.uri(),
  first: await plain.get(),
  latest: await client.get(new weave.ObjectRef(projectArgument(), 'settings', 'latest')),
  dataset: datasetRef.uri(),
  rows,
  length: loaded.length,
  text: loadedText.format({ name: 'you' }),
  messages: loadedMessages.format({ mood: 'kind' }),
})
