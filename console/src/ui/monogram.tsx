const hues = 6

/** Returns the initials of the first and last word of a name. */
function lettersOf(name: string): string {
  const words = name.split(/[\s@._-]+/).filter((word) => /[\p{L}\p{N}]/u.test(word))
  const [first = '?', ...more] = words
  const last = more.at(-1) ?? ''
  return `${Array.from(first)[0] ?? ''}${Array.from(last)[0] ?? ''}`.toUpperCase()
}

/** Returns a color index that is stable per name. */
function hueOf(name: string): number {
  let sum = 0
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521
  return sum % hues
}

/** Placeholder image: round for a person, square for an app. The name is always shown next to it. */
export function Monogram({
  name,
  of,
  large = false,
}: {
  name: string
  of: 'person' | 'app'
  large?: boolean
}) {
  const letters = lettersOf(name)
  return (
    <span className={`monogram ${of} hue-${hueOf(name)}${large ? ' large' : ''}`} aria-hidden="true">
      {of === 'app' ? letters.slice(0, 1) : letters}
    </span>
  )
}

/** A name with its monogram. */
export function Named({ name, of }: { name: string; of: 'person' | 'app' }) {
  return (
    <span className="named">
      <Monogram name={name} of={of} />
      <bdi className="named-text">{name}</bdi>
    </span>
  )
}
