import { prefer, preferences } from './preferences.ts'

/**
 * Windows in which the navigation has words unless the user decides otherwise. It is the same on
 * every view, so that nothing moves from one view to the next; in narrower windows, tables need
 * the room.
 */
export const roomForWords = '(min-width: 1600px)'

/** Adds words to the navigation, or leaves icons alone; this browser remembers it. */
export const toggleRail = (): void =>
  prefer({ railOpen: !(preferences.peek().railOpen ?? matchMedia(roomForWords).matches) })
