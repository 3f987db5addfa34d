import type { ReactNode } from 'react'

/** Isolates the text direction of a string, so it cannot reorder the text around it. */
export const Isolated = ({ children }: { children: ReactNode }) =>
  typeof children === 'string' ? <bdi>{children}</bdi> : children
