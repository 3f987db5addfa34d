import { Inbox } from 'lucide-react'
import type { ReactNode } from 'react'

/** Explains why a page is empty and what to do next. */
export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <Inbox aria-hidden />
      <h2>{title}</h2>
      {children}
    </div>
  )
}
