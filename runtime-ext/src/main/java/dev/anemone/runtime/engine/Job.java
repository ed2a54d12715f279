package dev.anemone.runtime.engine;

import dev.anemone.ir.IRDag;
import java.util.Objects;

/**
 * A pipeline that is ready to run.
 *
 * @param name what a person calls it
 * @param dag the IR with every property that the engine needs, as a policy leaves it
 * @param payload opaque bytes of the front end, given to every task; must not be modified
 * @param classLoader loads the front end's and the user's code
 */
@SuppressWarnings("ArrayRecordComponent") // handed through, never compared
public record Job(String name, IRDag dag, byte[] payload, ClassLoader classLoader) {

  public Job {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(dag, "dag");
    Objects.requireNonNull(payload, "payload");
    Objects.requireNonNull(classLoader, "classLoader");
  }
}
