import { useState } from 'react'

/** A choice that is kept in this browser: which columns are shown, for example. */
export function useKeptChoice<T>(name: string, usual: T): [T, (next: T) => void] {
  const key = `muster.${name}`
  const [value, setValue] = useState<T>(() => {
    try {
      return JSON.parse(localStorage.getItem(key) ?? 'null') ?? usual
    } catch {
      return usual
    }
  })
  return [
    value,
    (next) => {
      setValue(next)
      try {
        localStorage.setItem(key, JSON.stringify(next))
      } catch {
        // It holds until the page is left.
      }
    },
  ]
}
