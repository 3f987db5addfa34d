import { createContext, useContext, useEffect } from 'react'
import { ConsoleError } from '../../data/console-send.ts'

/** What a form tells its fields: what was refused; and what they tell it: which members they show. */
export const FormFacts = createContext<{ readonly error: unknown; readonly shown: Set<string> }>({
  error: null,
  shown: new Set(),
})

/** What the server finds wrong with a member of the body. */
export function mistakeOf(error: unknown, name: string): string | undefined {
  if (!(error instanceof ConsoleError)) return undefined
  const message = error.mistakes.find((mistake) => mistake.name === name)?.message
  return message === undefined ? undefined : `It ${message}.`
}

/** The same for the field of that name in the form around it, which then does not tell of it once more. */
export function useMistake(name: string | undefined): string | undefined {
  const { error, shown } = useContext(FormFacts)
  useEffect(() => {
    if (name === undefined) return
    shown.add(name)
    return () => void shown.delete(name)
  }, [name, shown])
  return name === undefined ? undefined : mistakeOf(error, name)
}
