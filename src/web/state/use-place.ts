import { useEffect } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { opening } from './opening.ts'
import { type Place, placeOf } from './place.ts'
import { remember, remembered } from './preferences.ts'

const memory = 'project'

const isText = (value: unknown): value is string => typeof value === 'string'

/**
 * The place of the address, or of the one that is being opened; outside of projects with the
 * project that was open last.
 */
export function usePlace(): Place {
  const { path } = useLocation()
  const next = opening.value
  const place = placeOf(next === undefined ? path : new URL(next, location.href).pathname)
  const last = remembered(memory, isText)
  useEffect(() => {
    if (place.projectId !== undefined && place.projectId !== last) remember(memory, place.projectId)
  }, [place.projectId])
  return place.view === 'settings' || place.view === 'sql' ? { ...place, projectId: last } : place
}
