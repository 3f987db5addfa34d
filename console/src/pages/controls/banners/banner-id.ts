const lengthMaximum = 48

/** Derives a unique banner ID from its title. */
export function bannerId(title: string, taken: readonly string[]): string {
  const plain = title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, lengthMaximum)
  const base = plain === '' ? 'banner' : plain
  let id = base
  for (let number = 2; taken.includes(id); number += 1) id = `${base}-${number}`
  return id
}
