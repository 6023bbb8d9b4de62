import { Component, type ComponentChild, h } from 'preact'

/**
 * A component that renders again only when a prop is another one, or when a signal that it reads
 * changes.
 */
export function memo<Props extends object>(render: (props: Props) => ComponentChild): new () => Component<Props> {
  return class extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>): boolean {
      return !isSame(this.props, next)
    }

    override render() {
      return h(render, this.props)
    }
  }
}

function isSame(some: object, other: object): boolean {
  const others = new Map(Object.entries(other))
  const entries = Object.entries(some)
  return entries.length === others.size && entries.every(([name, value]) => value === others.get(name))
}
