import { CallsPage } from './calls-page.tsx'

/** Traces of a project. */
export default function TracesView() {
  return <CallsPage rootsOnly />
}
