import { Component, type ReactNode } from 'react'

export interface FallbackProps {
  /** What is shown where the children cannot be. */
  readonly instead: ReactNode
  readonly children: ReactNode
}

/** Keeps the rest of the page whole when a part of it cannot be drawn. */
export class Fallback extends Component<FallbackProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true }
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.instead : this.props.children
  }
}
