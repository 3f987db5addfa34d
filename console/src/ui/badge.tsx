import type { ReactNode } from 'react'
import { toneOf, wordsOf } from './text/words.ts'

/** A contract value with its label and color. */
export function ValueBadge({ value }: { value: string | null }) {
  if (value === null) return <span className="soft">–</span>
  return <span className={`badge ${toneOf(value)}`}>{wordsOf(value)}</span>
}

/** A small label. */
export function Badge({ tone = '', children }: { tone?: string; children: ReactNode }) {
  return <span className={`badge ${tone}`}>{children}</span>
}
