import type { ReactNode } from 'react'
import { labelOf, toneOf } from './text/labels.ts'

/** A contract value with its label and color. */
export function ValueBadge({ value }: { value: string | null }) {
  if (value === null) return <span className="soft">–</span>
  return <span className={`badge ${toneOf(value)}`}>{labelOf(value)}</span>
}

/** A small label. */
export function Badge({ tone = '', children }: { tone?: string; children: ReactNode }) {
  return <span className={`badge ${tone}`}>{children}</span>
}
