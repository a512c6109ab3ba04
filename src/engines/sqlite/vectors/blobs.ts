type Numbers = Float32Array | Int8Array | Uint16Array | Uint32Array;

export function bytesOf(values: Numbers): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

/** Numbers of a blob; a rest that is no whole number is left out. */
export function floatsOf(blob: Uint8Array): Float32Array {
  const bytes = aligned(blob);
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
}

export function unsignedOf(blob: Uint8Array): Uint32Array {
  const bytes = aligned(blob);
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
}

export function shortsOf(blob: Uint8Array): Uint16Array {
  const bytes = aligned(blob);
  return new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 1);
}

export function signedBytesOf(blob: Uint8Array): Int8Array {
  return new Int8Array(blob.buffer, blob.byteOffset, blob.byteLength);
}

/** Drivers may hand out a window into a larger buffer that starts anywhere. */
function aligned(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset % 4 === 0 ? bytes : Uint8Array.from(bytes);
}
