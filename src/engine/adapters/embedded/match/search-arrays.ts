type Numbers = Uint8Array | Uint32Array | Float64Array;

/** Cuts arrays from a long one that is kept, and grows it for the next search where this one needed more. */
class Pool<A extends Numbers> {
  private data: A;
  private used = 0;

  constructor(private readonly make: (length: number) => A) {
    this.data = make(0);
  }

  begin(): void {
    if (this.used > this.data.length) this.data = this.make(this.used + (this.used >> 2));
    this.used = 0;
  }

  take(length: number): A {
    const start = this.used;
    this.used += length;
    return this.used > this.data.length ? this.make(length) : (this.data.subarray(start, this.used) as A);
  }
}

/**
 * Arrays as long as the candidates of one search, which the next one uses again: made anew each time, they were most of the garbage of a
 * search. They hold anything until they are written.
 */
export class SearchArrays {
  private readonly ofBytes = new Pool((length) => new Uint8Array(length));
  private readonly ofInts = new Pool((length) => new Uint32Array(length));
  private readonly ofDoubles = new Pool((length) => new Float64Array(length));

  /** What was handed out is used again from now on. */
  begin(): void {
    this.ofBytes.begin();
    this.ofInts.begin();
    this.ofDoubles.begin();
  }

  bytes(length: number): Uint8Array {
    return this.ofBytes.take(length);
  }

  ints(length: number): Uint32Array {
    return this.ofInts.take(length);
  }

  doubles(length: number): Float64Array {
    return this.ofDoubles.take(length);
  }
}
