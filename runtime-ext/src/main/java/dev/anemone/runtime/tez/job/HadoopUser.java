// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.job;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.security.UserGroupInformation;

/** A user of Hadoop, as whom this JVM can do something. Thread-safe. */
public final class HadoopUser {

  private final UserGroupInformation user;

  private HadoopUser(UserGroupInformation user) {
    this.user = user;
  }

  /** What is done as the user. */
  @FunctionalInterface
  public interface Action<T, E extends Exception> {
    T run() throws E, IOException, InterruptedException;
  }

  /** Who the calling thread is, with tickets and tokens. */
  public static HadoopUser current() {
    try {
      return new HadoopUser(UserGroupInformation.getCurrentUser());
    } catch (IOException e) {
      throw new UncheckedIOException("Hadoop does not know who the user of this JVM is", e);
    }
  }

  /** Who owns this process and the files that it makes, whoever has logged in to Hadoop. */
  public static HadoopUser ofProcess() {
    return new HadoopUser(UserGroupInformation.createRemoteUser(System.getProperty("user.name")));
  }

  @SuppressWarnings("unchecked") // the action throws nothing else that is checked
  public <T, E extends Exception> T call(Action<T, E> action)
      throws E, IOException, InterruptedException {
    try {
      return user.doAs((PrivilegedExceptionAction<T>) action::run);
    } catch (UndeclaredThrowableException e) {
      // Hadoop wraps what is no exception of its own.
      if (e.getCause() instanceof Exception cause) {
        throw (E) cause;
      }
      throw e;
    }
  }
}
