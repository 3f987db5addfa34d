import { type ReactNode, useEffect } from 'react'
import { BrandMark } from '../../ui/brand-mark.tsx'

/** Card of the pages before sign-in. */
export function EntryCard({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    const before = document.title
    document.title = `${title} · Muster`
    return () => {
      document.title = before
    }
  }, [title])
  return (
    <main className="entry">
      <div className="entry-card">
        <p className="entry-brand">
          <BrandMark />
          Muster
        </p>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  )
}
