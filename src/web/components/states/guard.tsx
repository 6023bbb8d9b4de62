import { Component, type ComponentChildren } from 'preact'

interface GuardProps {
  readonly children: ComponentChildren
  /** Content in place of children that failed. */
  readonly instead: (failure: unknown) => ComponentChildren
}

/** Children that fail do not take the rest of the page with them. */
export class Guard extends Component<GuardProps, { readonly failed?: { readonly with: unknown } }> {
  override componentDidCatch(failure: unknown): void {
    console.error(failure)
    this.setState({ failed: { with: failure } })
  }

  render({ children, instead }: GuardProps): ComponentChildren {
    const { failed } = this.state
    return failed ? instead(failed.with) : children
  }
}
