import { CatalogReplica, type ReplicaSetup } from './catalog-replica';

/** A worker process of its own, which a test can kill: it works on the jobs of the catalog. */
async function main(): Promise<void> {
  const replica = await CatalogReplica.open(JSON.parse(process.argv[2] ?? '') as ReplicaSetup);
  await replica.work();
  process.stdout.write('working\n');
}

void main();
