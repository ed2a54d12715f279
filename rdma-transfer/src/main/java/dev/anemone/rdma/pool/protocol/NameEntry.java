package dev.anemone.rdma.pool.protocol;

/** What a name in a directory stands for. */
public sealed interface NameEntry {

  /** An object. */
  record OfObject(StoredObject object) implements NameEntry {}

  /** A directory, by its path; what it holds is in its own table, maybe on other servers. */
  record OfDirectory(String path) implements NameEntry {}

  /** The whole path of the name. */
  default String path() {
    return this instanceof OfObject entry ? entry.object().path() : ((OfDirectory) this).path();
  }
}
