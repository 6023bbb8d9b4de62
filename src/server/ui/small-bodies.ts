import { BodyRooms, readJsonBody } from '../../domains/requests/index.ts'
import { plainPlace } from '../../formats/wire/marked-numbers.ts'
import { memoryLimits } from '../../lib/limits/memory.ts'
import { requestLimits } from '../../lib/limits/requests.ts'

/**
 * Reads the JSON bodies of clients that have not signed in, which are small and share one room.
 *
 * @param key of the room, such as `login`
 */
export function smallBodies(key: string): (request: Request) => Promise<unknown> {
  const rooms = new BodyRooms({ bodyBytesMax: requestLimits.loginBodyBytesMax, memoryBytes: memoryLimits.bytesMin })
  return async (request) => {
    const room = rooms.enter(key)
    try {
      return await readJsonBody(request, {
        bytesMax: requestLimits.loginBodyBytesMax,
        room,
        place: plainPlace,
        onLong: () => {},
        checkProject: () => {},
      })
    } finally {
      room.leave()
    }
  }
}
