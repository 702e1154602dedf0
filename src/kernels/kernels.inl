/* kernels.inl: everything of one instruction set. Included by kernels_*.c after its vf_*.h. */
#include "blocks.inl"
#include "frame.inl"
#include "wide.inl"
#include "lbs.inl"
#include "dqs.inl"
