import { type ReactNode, useEffect } from 'react'
import { BrandMark } from '../../ui/brand-mark.tsx'

/** The card that stands alone on a page before anybody is signed in. */
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
