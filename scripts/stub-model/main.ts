import { Command } from 'commander'
import type { KnownAnswers } from './answer.ts'
import { startStubModel } from './server.ts'
import { troubles } from './trouble.ts'

const command = new Command('stub-model')
  .description(
    'A model provider without a model: it speaks the chat completions of OpenAI, takes any key and any model, and says back what it ' +
      'was told, always in the same words. A request for JSON gets a value that fits its schema. A token is a word.',
  )
  .option('--port <number>', 'port to listen on at 127.0.0.1', Number, 8480)
  .option('--answers <file>', 'JSON object: text of a question → answer to it')
  .addHelpText(
    'after',
    `\nModels that misbehave:\n${Object.entries(troubles)
      .map(([name, what]) => `  ${name.padEnd(16)} ${what}`)
      .join('\n')}`,
  )
  .parse()

const { port, answers: file } = command.opts<{ port: number; answers?: string }>()
const answers: KnownAnswers = file === undefined ? {} : await Bun.file(file).json()
console.log(`stub-model listening on ${startStubModel({ port, answers }).url}`)
