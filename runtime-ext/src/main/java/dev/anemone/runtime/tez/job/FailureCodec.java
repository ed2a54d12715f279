// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.job;

import dev.anemone.runtime.spi.DataPlaneFailure;
import dev.anemone.runtime.tez.job.JobFiles.AttemptFailure;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.util.Optional;

/** Why an attempt has failed, as bytes. */
final class FailureCodec {

  private FailureCodec() {}

  /**
   * A failure as bytes; of one that cannot be serialized, what it says.
   *
   * @param container that the attempt ran in; empty when that was the JVM of its client
   */
  static byte[] write(String stage, int task, int attempt, String container, Throwable failure)
      throws IOException {
    try {
      return write(stage, task, attempt, container, failure, failure);
    } catch (NotSerializableException e) {
      return write(stage, task, attempt, container, failure, DescribedFailure.of(failure));
    }
  }

  private static byte[] write(
      String stage,
      int task,
      int attempt,
      String container,
      Throwable failure,
      Throwable serializable)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeUTF(stage);
      out.writeInt(task);
      out.writeInt(attempt);
      out.writeUTF(container);
      out.writeBoolean(DataPlaneFailure.isCauseOf(failure));
      out.writeObject(serializable);
    }
    return bytes.toByteArray();
  }

  /**
   * What was written.
   *
   * @param classLoader knows the classes of the failure
   */
  static AttemptFailure read(byte[] bytes, ClassLoader classLoader)
      throws IOException, ClassNotFoundException {
    try (ObjectInputStream in =
        new ClassLoaderInputStream(new ByteArrayInputStream(bytes), classLoader)) {
      String stage = in.readUTF();
      int task = in.readInt();
      int attempt = in.readInt();
      String container = in.readUTF();
      return new AttemptFailure(
          stage,
          task,
          attempt,
          container.isEmpty() ? Optional.empty() : Optional.of(container),
          in.readBoolean(),
          (Throwable) in.readObject());
    }
  }

  /** Stands for an exception that cannot travel: its class, message and stack trace. */
  private static final class DescribedFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private DescribedFailure(String message, Throwable cause) {
      super(message, cause);
    }

    static DescribedFailure of(Throwable failure) {
      Throwable cause = failure.getCause();
      DescribedFailure described =
          new DescribedFailure(
              failure.toString(), cause == null || cause == failure ? null : of(cause));
      described.setStackTrace(failure.getStackTrace());
      return described;
    }
  }

  private static final class ClassLoaderInputStream extends ObjectInputStream {

    private final ClassLoader classLoader;

    ClassLoaderInputStream(InputStream in, ClassLoader classLoader) throws IOException {
      super(in);
      this.classLoader = classLoader;
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description)
        throws IOException, ClassNotFoundException {
      try {
        return Class.forName(description.getName(), false, classLoader);
      } catch (ClassNotFoundException e) {
        return super.resolveClass(description);
      }
    }
  }
}
