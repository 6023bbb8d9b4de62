import { useEffect } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { type Place, placeOf } from './place.ts'
import { remember, remembered } from './preferences.ts'

const memory = 'project'

const isText = (value: unknown): value is string => typeof value === 'string'

/** The place of the address; outside of projects with the project that was open last. */
export function usePlace(): Place {
  const place = placeOf(useLocation().path)
  const last = remembered(memory, isText)
  useEffect(() => {
    if (place.projectId !== undefined && place.projectId !== last) remember(memory, place.projectId)
  }, [place.projectId])
  return place.view === 'settings' ? { ...place, projectId: last } : place
}
