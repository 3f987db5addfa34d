export function messageSplitter(): (part: Buffer, onmessage: (message: Buffer) => void) => void
