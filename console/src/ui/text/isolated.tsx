import type { ReactNode } from 'react'

/** Shows a text so that its direction does not change the order of what stands beside it; anything else as it is. */
export const Isolated = ({ children }: { children: ReactNode }) =>
  typeof children === 'string' ? <bdi>{children}</bdi> : children
