// SPDX-License-Identifier: Apache-2.0
/** UCX's own libraries, beside its Java binding: whether they will do, and what they refuse. */
package dev.anemone.rdma.ucx.library;
