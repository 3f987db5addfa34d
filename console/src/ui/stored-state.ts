import { useState } from 'react'

/** State that is stored in this browser, for example the visible columns. */
export function useStoredState<T>(name: string, defaults: T): [T, (next: T) => void] {
  const key = `muster.${name}`
  const [value, setValue] = useState<T>(() => {
    try {
      return JSON.parse(localStorage.getItem(key) ?? 'null') ?? defaults
    } catch {
      return defaults
    }
  })
  return [
    value,
    (next) => {
      setValue(next)
      try {
        localStorage.setItem(key, JSON.stringify(next))
      } catch {
        // Without storage the choice lasts until the page is closed.
      }
    },
  ]
}
