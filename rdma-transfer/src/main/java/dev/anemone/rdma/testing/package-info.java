// SPDX-License-Identifier: Apache-2.0
/** For tests of programs that use the pool: pools in the test's own JVM. */
package dev.anemone.rdma.testing;
