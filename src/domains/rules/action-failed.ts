/** An action that may succeed later. The message is shown to the user. */
export class ActionFailed extends Error {
  override readonly name = 'ActionFailed'
}
