// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** What pools have to do over tcp, over ucx. */
@Tag("slow")
@ExtendWith(OverUcx.class)
class PoolsOverUcxTest {

  @Nested
  class Use extends PoolTest {}

  @Nested
  class Failures extends PoolFailureTest {}

  @Nested
  class Leases extends PoolLeaseTest {}

  @Nested
  class CopiesOfPages extends CachesTest {}

  @Nested
  class KeptObjects extends KeptObjectsTest {}

  @Nested
  @Tag("nightly")
  class RestartedServers extends RestartedServerTest {

    /** Of servers in processes of their own, which are over tcp. */
    @Override
    void aKilledServerHasWhatItHasPromised() {}

    /** The list is a file, and the transport has no part in it. */
    @Override
    void aListThatIsWrittenAgainAndAgainStaysShort() {}
  }

  @Nested
  class FullPools extends FullPoolTest {}

  @Nested
  class Tiers extends TiersTest {}

  @Nested
  class SmallObjects extends SmallObjectsTest {}
}
