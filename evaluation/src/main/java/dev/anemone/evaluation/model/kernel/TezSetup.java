// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.kernel;

import dev.anemone.evaluation.model.kernel.ShuffleKernel.KernelShape;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.compress.Lz4Codec;
import org.apache.hadoop.security.token.Token;
import org.apache.tez.common.TezCommonUtils;
import org.apache.tez.common.TezUtils;
import org.apache.tez.common.security.JobTokenIdentifier;
import org.apache.tez.dag.api.UserPayload;
import org.apache.tez.runtime.library.api.Partitioner;
import org.apache.tez.runtime.library.api.TezRuntimeConfiguration;

/**
 * The settings of Tez's output and input: its defaults, but for what the shape of the shuffle says,
 * and local files read directly. Immutable.
 */
record TezSetup(KernelShape shape, Configuration configuration, UserPayload payload) {
  private static final int PASSWORD_BYTES = 20;

  /** Nobody listens: the reader finds the files in its own directory. */
  private static final int SHUFFLE_PORT = 1;

  /** A task must have more memory than the sorter asks for. */
  private static final int TASK_TO_SORT_MEMORY = 2;

  static TezSetup of(KernelShape shape) throws IOException {
    Configuration configuration = configuration(shape);
    return new TezSetup(shape, configuration, TezUtils.createUserPayloadFromConf(configuration));
  }

  private static Configuration configuration(KernelShape shape) {
    Configuration configuration = new Configuration();
    configuration.set(TezRuntimeConfiguration.TEZ_RUNTIME_KEY_CLASS, BytesWritable.class.getName());
    configuration.set(
        TezRuntimeConfiguration.TEZ_RUNTIME_VALUE_CLASS, BytesWritable.class.getName());
    configuration.set(
        TezRuntimeConfiguration.TEZ_RUNTIME_PARTITIONER_CLASS, TezPartitioner.class.getName());
    configuration.setInt(
        TezRuntimeConfiguration.TEZ_RUNTIME_IO_SORT_MB, (int) (shape.memoryBytes() >> 20));
    configuration.setBoolean(TezRuntimeConfiguration.TEZ_RUNTIME_OPTIMIZE_LOCAL_FETCH, true);
    configuration.setBoolean(TezRuntimeConfiguration.TEZ_RUNTIME_COMPRESS, shape.compressed());
    configuration.set(TezRuntimeConfiguration.TEZ_RUNTIME_COMPRESS_CODEC, Lz4Codec.class.getName());
    return configuration;
  }

  long taskMemoryBytes() {
    return shape.memoryBytes() * TASK_TO_SORT_MEMORY;
  }

  /** What the shuffle service of a node would have announced. */
  ByteBuffer shufflePort() {
    return ByteBuffer.allocate(Integer.BYTES).putInt(SHUFFLE_PORT).flip();
  }

  /** The secret that a job's tasks share. */
  ByteBuffer jobToken() {
    Token<JobTokenIdentifier> token =
        new Token<>(new byte[0], new byte[PASSWORD_BYTES], new Text("kernel"), new Text());
    try {
      return TezCommonUtils.serializeServiceData(token);
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** {@link KernelRecords#partition} for Tez, which makes it by its name. */
  public static final class TezPartitioner implements Partitioner {
    @Override
    public int getPartition(Object key, Object value, int partitions) {
      return KernelRecords.partition(((BytesWritable) key).getBytes(), partitions);
    }
  }
}
