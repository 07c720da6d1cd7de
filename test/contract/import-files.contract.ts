import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ImportFiles } from '../../src/jobs/imports/import-files';

export interface ImportFilesSubject {
  files: ImportFiles;
  /** Another process over the same data. */
  reopen(): Promise<ImportFiles>;
  /** Names or ids of everything that is stored. */
  stored(): Promise<string[]>;
  close(): Promise<void>;
}

const hashOf = async (stream: AsyncIterable<Buffer>): Promise<string> => {
  const hash = createHash('sha256');
  for await (const chunk of stream) hash.update(chunk);
  return hash.digest('hex');
};

/** What compresses badly, in chunks of odd sizes. */
function* noise(bytes: number): Generator<Buffer> {
  let block = createHash('sha512').update('noise').digest();
  for (let left = bytes; left > 0;) {
    const chunks: Buffer[] = [];
    for (let length = 0; length < 70_000; length += block.length) {
      block = createHash('sha512').update(block).digest();
      chunks.push(block);
    }
    const chunk = Buffer.concat(chunks).subarray(0, Math.min(left, 69_997));
    left -= chunk.length;
    yield chunk;
  }
}

/** What every ImportFiles promises. */
export function describeImportFilesContract(adapter: string, makeSubject: () => Promise<ImportFilesSubject>): void {
  describe(`ImportFiles: ${adapter}`, () => {
    let subject: ImportFilesSubject;

    beforeEach(async () => {
      subject = await makeSubject();
    });
    afterEach(() => subject.close());

    const text = async (files: ImportFiles, file: string): Promise<string> => {
      const found = await files.open(file);
      let whole = '';
      for await (const chunk of found?.stream ?? []) whole += (chunk as Buffer).toString();
      return whole;
    };

    const sizeOf = async (files: ImportFiles, file: string): Promise<number | undefined> => {
      const found = await files.open(file);
      found?.stream.destroy();
      return found?.bytes;
    };

    it('gives back what was staged, in another process, too', async () => {
      const { file, bytes } = await subject.files.stage(
        's1',
        Readable.from([Buffer.from('first\n'), Buffer.from('ümlaut\n')]),
      );
      expect(bytes).toBe(14);
      const files = await subject.reopen();
      expect(await sizeOf(files, file)).toBe(14);
      expect(await text(files, file)).toBe('first\nümlaut\n');
      expect(await text(files, file)).toBe('first\nümlaut\n');
    });

    it('keeps bodies of many megabytes byte for byte', async () => {
      const size = 5_300_000;
      const { file, bytes } = await subject.files.stage('s1', Readable.from(noise(size)));
      expect(bytes).toBe(size);
      const found = await subject.files.open(file);
      expect(found?.bytes).toBe(size);
      expect(await hashOf(found?.stream as AsyncIterable<Buffer>)).toBe(await hashOf(Readable.from(noise(size))));
    });

    it('keeps an empty body', async () => {
      const { file, bytes } = await subject.files.stage('s1', Readable.from([]));
      expect(bytes).toBe(0);
      expect(await sizeOf(subject.files, file)).toBe(0);
      expect(await text(subject.files, file)).toBe('');
    });

    it('keeps nothing of a body that breaks off', async () => {
      function* broken(): Generator<Buffer> {
        yield* noise(3_000_000);
        throw new Error('The connection is gone');
      }
      await expect(subject.files.stage('s1', Readable.from(broken()))).rejects.toThrow('The connection is gone');
      expect(await subject.stored()).toEqual([]);
    });

    it('a file that was removed is gone, once and for all', async () => {
      const kept = await subject.files.stage('s1', Readable.from([Buffer.from('kept')]));
      const { file } = await subject.files.stage('s1', Readable.from(noise(3_000_000)));
      await subject.files.remove(file);
      await subject.files.remove(file);
      expect(await subject.files.open(file)).toBeNull();
      expect(await text(subject.files, kept.file)).toBe('kept');
      await subject.files.remove(kept.file);
      expect(await subject.stored()).toEqual([]);
    });

    it('knows nothing of a file nobody staged', async () => {
      expect(await subject.files.open('00000000-0000-4000-8000-000000000000')).toBeNull();
      await subject.files.remove('00000000-0000-4000-8000-000000000000');
    });

    it('forgets what was staged before a time, and nothing else', async () => {
      const { file } = await subject.files.stage('s1', Readable.from(noise(1_500_000)));
      await subject.files.stage('s1', Readable.from([]));
      expect(await subject.files.expire(0)).toBe(0);
      expect(await sizeOf(subject.files, file)).toBe(1_500_000);
      expect(await subject.files.expire(Number.MAX_SAFE_INTEGER)).toBe(2);
      expect(await subject.files.open(file)).toBeNull();
      expect(await subject.stored()).toEqual([]);
      expect(await subject.files.expire(Number.MAX_SAFE_INTEGER)).toBe(0);
    });

    it('forgets all of a store, and nothing of another', async () => {
      const others = await subject.files.stage('s11', Readable.from([Buffer.from('kept')]));
      const { file } = await subject.files.stage('s1', Readable.from(noise(1_500_000)));
      await subject.files.stage('s1', Readable.from([]));
      expect(await subject.files.removeStore('s1')).toBe(2);
      expect(await subject.files.open(file)).toBeNull();
      expect(await text(subject.files, others.file)).toBe('kept');
      expect(await subject.files.removeStore('s1')).toBe(0);
      expect(await subject.files.removeStore('s11')).toBe(1);
      expect(await subject.stored()).toEqual([]);
    });

    it('can be read in part', async () => {
      const { file } = await subject.files.stage('s1', Readable.from(noise(3_000_000)));
      const found = await subject.files.open(file);
      for await (const chunk of found?.stream ?? []) {
        expect((chunk as Buffer).length).toBeGreaterThan(0);
        break;
      }
      found?.stream.destroy();
      await subject.files.remove(file);
    });
  });
}
