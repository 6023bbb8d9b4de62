import { type Command, InvalidArgumentError, Option } from 'commander'

/** Where to send and how; the same for every sender. */
export interface SendOptions {
  readonly url: string
  readonly key: string
  /** `entity/project`. */
  readonly project: string
  /** Starts and ends a second; as fast as the server takes them when undefined. */
  readonly rate?: number
  readonly ledger?: string
}

/** Adds the options of `SendOptions` to a command. */
export function withSendOptions(command: Command, defaultProject: string): Command {
  return command
    .option('--url <address>', 'server to send to', 'http://127.0.0.1:8470')
    .addOption(new Option('--key <key>', 'API key with the role write').env('TRACELAKE_KEY').makeOptionMandatory())
    .option('--project <entity/project>', 'project to write to', defaultProject)
    .option('--rate <number>', 'at most so many starts and ends a second', positiveNumber)
    .option('--ledger <file>', 'append the id of every call whose start was acknowledged to this file')
}

/** Parser of an option that takes a number above zero. */
export function positiveNumber(text: string): number {
  const value = Number(text)
  if (!(value > 0) || !Number.isFinite(value)) throw new InvalidArgumentError('It takes a number above zero.')
  return value
}

/** Parser of an option that takes a whole number above zero. */
export function positiveInteger(text: string): number {
  const value = positiveNumber(text)
  if (!Number.isInteger(value)) throw new InvalidArgumentError('It takes a whole number.')
  return value
}
