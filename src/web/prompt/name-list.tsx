import { Suggestions } from '../components/controls/suggestions.tsx'
import { promptText } from '../text/prompt.ts'

interface NameListProps {
  readonly id: string
  readonly names: readonly string[]
  readonly current: number
  readonly onChoose: (name: string) => void
}

/** Names that continue a variable. */
export default function NameList({ id, names, current, onChoose }: NameListProps) {
  return (
    <Suggestions
      id={id}
      label={promptText.variables}
      items={names.map((name) => ({ label: name, text: name, from: 0 }))}
      current={current}
      onChoose={({ text }) => onChoose(text)}
    />
  )
}
