import { createContext, useContext, useEffect } from 'react'
import { ConsoleError } from '../../data/console-send.ts'

/** Error of a form, and the members whose errors its fields show. */
export const FormFacts = createContext<{ readonly error: unknown; readonly shown: Set<string> }>({
  error: null,
  shown: new Set(),
})

/** Returns the validation error of a member as a sentence. */
export function mistakeOf(error: unknown, name: string): string | undefined {
  if (!(error instanceof ConsoleError)) return undefined
  const message = error.mistakes.find((mistake) => mistake.name === name)?.message
  return message === undefined ? undefined : `It ${message}.`
}

/** Returns the validation error of a field, and registers the field so that its form does not repeat the error. */
export function useMistake(name: string | undefined): string | undefined {
  const { error, shown } = useContext(FormFacts)
  useEffect(() => {
    if (name === undefined) return
    shown.add(name)
    return () => void shown.delete(name)
  }, [name, shown])
  return name === undefined ? undefined : mistakeOf(error, name)
}
